// All tables of the database: what the files of `tables/` export.
import * as accounts from './tables/accounts.ts'
import * as directory from './tables/directory.ts'
import * as exportTables from './tables/exports.ts'
import * as materials from './tables/materials.ts'
import * as operations from './tables/operations.ts'
import * as revenue from './tables/revenue.ts'

export const tables = { ...accounts, ...directory, ...exportTables, ...materials, ...operations, ...revenue }
