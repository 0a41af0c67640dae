#!/usr/bin/env node
// The command `dagsverk`. Plain JavaScript without static imports, so that an old Node prints a clear error.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

const start = async () => {
  const { existsSync } = await import('node:fs')
  const { enableCompileCache } = await import('node:module')
  // A clone contains the sources, a package the compiled files.
  const program = ['./main.ts', '../dist/main.js'].find((path) => existsSync(new URL(path, import.meta.url)))
  if (program === undefined) {
    console.error('dagsverk: the program is missing because this package was not built.')
    console.error('In a clone, "npm pack" builds the package and "npm start" runs without one.')
    process.exitCode = 78
    return
  }
  // The compile cache shortens the start. It is optional: the folder may be read-only.
  enableCompileCache(`${import.meta.dirname}/../.tools/compile-cache`)
  await import(program)
}

if (major > 22 || (major === 22 && minor >= 18)) {
  await start()
} else {
  console.error(`dagsverk needs Node 22.18 or newer, this is v${process.versions.node}.`)
  console.error('Install one from https://nodejs.org/')
  process.exitCode = 1
}
