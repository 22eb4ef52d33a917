-- beside: 3
-- Reports are erased by the time at which they were written.

CREATE INDEX reports_by_written ON reports ("written");
