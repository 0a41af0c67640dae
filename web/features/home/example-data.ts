// Example data for a company without any: imported as files, so that the import history undoes it.
import type { ImportedSet } from '../../../src/app/contract/imports.ts'
import { addDays, getWeekday, listDays } from '../../api/days.ts'
import type { Language } from '../../../src/app/contract/session.ts'
import { runImport } from '../imports/api.ts'

/** Departments, projects, and the revenue of a year and two months until yesterday. */
export async function importExampleData(today: string, language: Language): Promise<void> {
  const { departments, projects } = names[language]
  const days = listDays(addDays(today, -revenueDays), addDays(today, -1))
  const files: readonly (readonly [ImportedSet, string, readonly (readonly string[])[]])[] = [
    ['Avdeling', 'Id,Navn', departments.map((name, index) => [`${index + 1}0`, name])],
    ['Prosjekt', 'Id,Navn', projects.map((name, index) => [`EX${index + 1}`, name])],
    [
      'Omsetning',
      'Dato,AvdelingID,Omsetning',
      days.flatMap((day, at) => departments.map((_, index) => [day, `${index + 1}0`, revenueOn(day, at, index)])),
    ],
  ]
  for (const [set, header, rows] of files) {
    const file = new Blob([[header, ...rows.map((row) => row.join(','))].join('\n')])
    const fields = header.split(',')
    const options = { clearsEmptyCells: false, takes: 'all', isDryRun: false } as const
    await runImport({ set, file, name: `${set}.csv`, fields, ...options }, () => {})
  }
}

const revenueDays = 425

const names: Readonly<Record<Language, { departments: readonly string[]; projects: readonly string[] }>> = {
  nb: { departments: ['Butikk', 'Kafé', 'Nettbutikk'], projects: ['Kontorbygg', 'Skole'] },
  en: { departments: ['Shop', 'Café', 'Web shop'], projects: ['Office building', 'School'] },
}

/** Also true without departments, and after an import that stopped before the revenue, which then can be repeated. */
export function hasOnlyExamples(departments: ReadonlyMap<string, string>): boolean {
  const examples = Object.values(names).flatMap((one) => one.departments)
  return [...departments.values()].every((name) => examples.includes(name))
}

/** Higher before the weekend, and rising slowly. */
function revenueOn(day: string, at: number, department: number): string {
  const weekday = [0.9, 0.9, 1, 1.1, 1.4, 1.6, 0.6][getWeekday(day)] ?? 1
  const wave = 1 + ((at * 37 + department * 11) % 20) / 100
  return String(Math.round(((24_000 - department * 6_000) * weekday * wave * (2000 + at)) / 2000))
}
