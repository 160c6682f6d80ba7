"""llama.cpp's own HTTP server, as it comes in the embedded model's wheel: it speaks OpenAI's protocol.

`script.ollama` speaks Ollama's with the same engine and the same files.
"""
