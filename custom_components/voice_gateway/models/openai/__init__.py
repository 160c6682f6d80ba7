"""Models of servers that speak OpenAI's protocol: on a computer at home, in a rack, or in the cloud."""
