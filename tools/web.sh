# Sourced after node.sh: builds the browser app if its sources are newer than the last build.

build_web() {
  stamp=web/dist/.built
  [ ! -e "$stamp" ] ||
    [ -n "$(find web package-lock.json -path web/dist -prune -o -newer "$stamp" -print -quit)" ] ||
    return 0
  say 'building the browser app ...'
  # Vitest, which packs the program too, sets another NODE_ENV: React would be the development build.
  NODE_ENV=production node_modules/.bin/vite build --config web/vite.config.ts >&2 && : >"$stamp"
}
