"""Tests of the models' side: what is sent, and what is read."""
