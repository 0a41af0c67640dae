// Staff, departments, sites and projects of every company: the same for each server, as their numbers say.
import { departmentOf, departments } from './rows.ts'

export const employees = 1000
export const projects = 500

export function numbers(count: number) {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** Keys of one length, so that their order as texts is that of their numbers. */
export function projectOf(number: number): string {
  return `P${String(number).padStart(4, '0')}`
}

/** A company's directory, by the fields that the questions are about. */
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
