"""The mailbox of development: letters are kept as files and shown as a mail program would show them."""
