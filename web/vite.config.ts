// Builds the browser app into web/dist, with each file compressed as it will be sent.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist')

/** Pictures are small; all else shrinks to a third. */
const compressed = (): Plugin => ({
  name: 'compressed',
  closeBundle: () => {
    const folder = join(outDir, 'assets')
    for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
      const body = readFileSync(join(folder, name))
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(body))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(body, { level: 9 }))
    }
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  // The server puts another one into each page.
  html: { cspNonce: '%nonce%' },
  build: {
    outDir,
    // What knows light-dark(): written for older ones it would not follow the chosen theme.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // The libraries mark their files for another kind of server.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  plugins: [compressed()],
})
