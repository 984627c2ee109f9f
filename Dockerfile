# docsh alone in an empty image:
#   docker build -t docsh . && docker run --rm docsh -c 'ls /'
#   docker run --rm -p 8089:8089 docsh mcp --listen 0.0.0.0:8089 --allow-host localhost:8089
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends musl-tools && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cp "$(scripts/static)" /docsh

FROM scratch
COPY --from=build /docsh /docsh
USER 65534:65534
ENTRYPOINT ["/docsh"]
