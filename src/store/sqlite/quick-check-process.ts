// Quick check process: the program that checks a SQLite file, and sends what it finds.
import Database from 'better-sqlite3'

const findingsMax = 10

function check(path: string): string[] {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const found = database.prepare<[], string>(`pragma quick_check(${findingsMax})`).pluck().all()
    return found.length === 1 && found[0] === 'ok' ? [] : found
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    database.close()
  }
}

const [, , path = ''] = process.argv
process.send?.(check(path), () => process.disconnect())
