#!/usr/bin/env node
// The command `dagsverk`. Plain JavaScript without static imports: an old Node must come far enough to be told.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 18)) {
  const { enableCompileCache } = await import('node:module')
  // What was compiled last time halves the start. Where it cannot be kept, nothing else is lost.
  enableCompileCache(`${import.meta.dirname}/../.tools/compile-cache`)
  await import('#main.ts')
} else {
  console.error(`dagsverk needs Node 22.18 or newer, this is v${process.versions.node}.`)
  console.error('Install one from https://nodejs.org/')
  process.exitCode = 1
}
