// Generated directory: departments, sites, employees and projects.
import { formatDay } from '../lib/calendar.ts'
import { microsecondsPerDay } from '../lib/timestamp.ts'
import {
  department,
  employee,
  project,
  site,
  type Department,
  type Employee,
  type Project,
  type Site,
} from '../model/directory.ts'
import { newRecord } from '../engine/model/resource.ts'
import { departments } from './departments.ts'
import { firstNames, lastNames, percents, streets, titles, towns, works } from './names.ts'
import { hasChance, pick, randomInteger } from './seeded-random.ts'
import type { Caller } from '../auth/caller.ts'
import { insertRecords } from '../store/directory/directory-records.ts'
import type { Store } from '../store/store.ts'
import type { DayRange } from './history.ts'

/** Inserts the directory of a company; all employees were hired before the end of the span. */
export function insertDirectory(store: Store, caller: Caller, span: DayRange): Promise<void> {
  return store.inTransaction(caller.companyId, async (transaction) => {
    const { name } = caller.company
    const generator = new DirectoryGenerator(name, span)
    await insertRecords(transaction, department, generator.departments())
    await insertRecords(transaction, site, generator.sites())
    await insertRecords(transaction, employee, generator.employees())
    await insertRecords(transaction, project, generator.projects())
  })
}

/** Number of employees and projects; none for companies without departments. */
const sizes: Readonly<Record<string, { readonly employees: number; readonly projects: number }>> = {
  TEST: { employees: 120, projects: 40 },
  TEST2: { employees: 18, projects: 6 },
}

class DirectoryGenerator {
  readonly #company: string
  readonly #span: DayRange
  readonly #departmentIds: readonly string[]
  readonly #size: { readonly employees: number; readonly projects: number }
  #stampsTaken = 0

  constructor(company: string, span: DayRange) {
    this.#company = company
    this.#span = span
    this.#departmentIds = (departments[company] ?? []).map(({ id }) => id)
    this.#size = sizes[company] ?? { employees: 0, projects: 0 }
  }

  departments(): Department[] {
    return (departments[this.#company] ?? []).map(({ id, name, parentId }, index) => ({
      ...newRecord(department),
      id,
      name,
      parentId: parentId ?? null,
      organisationNumber: String(999_000_000 + index),
      responsibleId: index + 1,
      email: `${id.toLowerCase()}@${this.#domain}`,
      isActive: true,
      ...this.#stamps,
    }))
  }

  sites(): Site[] {
    if (this.#size.projects === 0) return []
    return towns.map(([postalCode, postalTown], index) => ({
      id: `A${index + 1}`,
      name: `${postalTown} ${index % 2 === 0 ? 'nord' : 'sør'}`,
      address: this.#street('site', index),
      postalCode,
      postalTown,
      externalId: null,
      ...this.#stamps,
    }))
  }

  projects(): Project[] {
    return range(this.#size.projects).map((index) => {
      const startedOn = this.#day('started', index)
      const isFinished = hasChance(3, this.#company, 'finished', index)
      const town = randomInteger(1, towns.length, this.#company, 'town', index)
      return {
        ...newRecord(project),
        id: `P${String(index).padStart(3, '0')}`,
        name: `${pick(works, this.#company, 'work', index)} ${towns[town - 1]?.[1] ?? ''}`,
        departmentId: this.#departmentOf('project', index),
        // Some projects have no site.
        siteId: hasChance(5, this.#company, 'no site', index) ? null : `A${town}`,
        responsibleId: randomInteger(1, this.#departmentIds.length, this.#company, 'in charge', index),
        externalId: hasChance(2, this.#company, 'external', index) ? `ERP-${4000 + index}` : null,
        isInternal: hasChance(6, this.#company, 'internal', index),
        isStarted: true,
        startedOn,
        isFinished,
        finishedOn: isFinished ? formatDay(this.#span.end - 1) : null,
        isClosed: false,
        ...this.#stamps,
      }
    })
  }

  employees(): Employee[] {
    return range(this.#size.employees).map((index) => {
      const of = [this.#company, index]
      const firstName = pick(firstNames, 'first', ...of)
      const lastName = pick(lastNames, 'last', ...of)
      const hasLeft = hasChance(12, 'left', ...of)
      const [postalCode, postalTown] = pick(towns, 'home', ...of)
      return {
        ...newRecord(employee),
        id: index,
        firstName,
        lastName,
        address: this.#street('home', index),
        postalCode,
        postalTown,
        mobile: `+47 400 ${randomInteger(10, 99, 'mobile', ...of)} ${randomInteger(100, 999, 'phone', ...of)}`,
        email: `${toMailName(firstName)}.${toMailName(lastName)}@${this.#domain}`,
        bornOn: formatDay(randomInteger(-5000, 13_000, 'born', ...of)),
        title: pick(titles, 'title', ...of),
        hiredOn: this.#day('hired', index),
        hasLeft,
        leftOn: hasLeft ? formatDay(this.#span.end - randomInteger(1, 60, 'leaving', ...of)) : null,
        // A few employees have no department.
        departmentId: hasChance(25, 'nowhere', ...of) ? null : this.#departmentOf('staff', index),
        isActive: !hasLeft,
        identifier: String(1000 + index),
        projectId:
          hasChance(3, 'on a project', ...of) && this.#size.projects > 0
            ? `P${String(randomInteger(1, this.#size.projects, 'project', ...of)).padStart(3, '0')}`
            : null,
        positionPercent: pick(percents, 'percent', ...of) * 10_000,
        isHired: hasChance(15, 'hired from others', ...of),
        ...this.#stamps,
      }
    })
  }

  get #domain(): string {
    return `${this.#company.toLowerCase()}.example`
  }

  /** The evening before the history begins; no two records have the same. */
  get #stamps() {
    const stamp = this.#span.first * microsecondsPerDay + this.#stampsTaken++
    return { changedAt: stamp, createdAt: stamp }
  }

  #day(what: string, index: number): string {
    return formatDay(randomInteger(this.#span.first - 2000, this.#span.end - 90, this.#company, what, index))
  }

  #departmentOf(what: string, index: number): string {
    return pick(this.#departmentIds, this.#company, what, index)
  }

  #street(what: string, index: number): string {
    const words = [this.#company, what, index]
    return `${pick(streets, 'street', ...words)} ${randomInteger(1, 90, 'number', ...words)}`
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function toMailName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, (letter) => ({ æ: 'ae', ø: 'o', å: 'a', é: 'e' })[letter] ?? '')
}
