# gainalyze with Stockfish. The mounted folder has the games and gets the reports:
#   docker build -t gainalyze .
#   docker run --rm --user "$(id -u)" -v "$PWD:/games" -v gainalyze-cache:/cache gainalyze games.pgn
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
# With this target, the program gets the page of `gainalyze page`.
RUN rustup target add wasm32-wasip1 && cargo build --locked --profile dist

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends stockfish \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -m 1777 /games /cache
COPY --from=build /source/target/dist/gainalyze /usr/local/bin/
# Debian installs engines in /usr/games. Any user may run the container, so the cache is in a folder for all users.
ENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/games XDG_CACHE_HOME=/cache
WORKDIR /games
ENTRYPOINT ["gainalyze"]
CMD ["--help"]
