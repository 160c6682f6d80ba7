"""Models of servers that speak OpenAI's protocol, at home or in the cloud."""
