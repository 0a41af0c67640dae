import { defineConfig } from 'vitest/config'

const conditions = ['dagsverk-src', 'node', 'import', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    execArgv: ['--conditions=dagsverk-src'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
