import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

// Imports like `#lib/decimal.ts` lead to src/ in a clone (package.json, "imports").
const conditions = ['dagsverk-src', ...defaultServerConditions]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    execArgv: ['--conditions=dagsverk-src'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
