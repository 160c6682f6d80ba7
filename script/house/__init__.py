"""A house to speak to: a real Home Assistant with demo devices, for demo, benches and pictures.

Nothing of it is kept: each house has a folder of its own, which goes when the house does.
"""
