"""What the methods that find data regions share: how alike two small trees are, and which paths a page is made of."""
