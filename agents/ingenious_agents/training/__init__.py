"""Parts that training scripts share."""
