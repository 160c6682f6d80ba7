"""A small model behind Ollama's HTTP API, where no Ollama is installed.

`python -m script.ollama` serves Qwen 2.5 Coder with llama.cpp. Nothing of it runs inside Home
Assistant: it stands in for the user's own Ollama server in the demo, in benches and in tests.
"""
