"""The voice proof: sound goes in, Assist, our agent and a light are in between, sound comes out."""
