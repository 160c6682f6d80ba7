"""Tests of what developers run."""
