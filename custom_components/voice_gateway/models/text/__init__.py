"""Convert the text of models to speech: remove markup, thinking and template marks."""
