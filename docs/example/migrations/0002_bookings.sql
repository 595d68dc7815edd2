create extension if not exists btree_gist;

create table if not exists booking (
    id          bigint generated always as identity primary key,
    berth_id    integer   not null references berth,
    stay        daterange not null,
    price_cents bigint    not null check (price_cents >= 0),
    exclude using gist (berth_id with =, stay with &&)
);
