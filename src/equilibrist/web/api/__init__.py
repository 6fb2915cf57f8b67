"""What all requests of the JSON API share: services, errors, orders and bounds, tables as CSV."""
