create table if not exists berth (
    id       integer primary key,
    harbour  text    not null,
    length_m numeric not null check (length_m > 0)
);
