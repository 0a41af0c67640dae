// Staff, departments, sites and projects of every company: derived from row numbers, equal on each server.
import { departmentOf, departments } from './rows.ts'

export const employees = 1000
export const projects = 500

export function numbers(count: number) {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** Keys of equal length, so that their text order is their numeric order. */
export function projectOf(number: number): string {
  return `P${String(number).padStart(4, '0')}`
}

/** A company's directory, by the fields that the requests use. */
export const directory = {
  departments: numbers(departments).map((number) => {
    const id = departmentOf(number - 1)
    return { id, name: `Avdeling ${id}` }
  }),
  sites: numbers(50).map((number) => ({ id: `S${number}`, name: `Anlegg ${number}` })),
  employees: numbers(employees).map((number) => ({
    id: number,
    firstName: `Fornavn${number}`,
    lastName: `Etternavn${number}`,
    departmentId: departmentOf(number % departments),
  })),
  projects: numbers(projects).map((number) => ({
    id: projectOf(number),
    name: `Prosjekt ${number}`,
    departmentId: departmentOf(number % departments),
    siteId: `S${1 + (number % 50)}`,
  })),
}
