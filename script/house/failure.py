"""What a person is told when the house cannot be built."""


class HouseError(Exception):
    """The house or its model is not to be had; the text says why and what to do."""
