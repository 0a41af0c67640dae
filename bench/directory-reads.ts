// Benchmark requests that read employees and projects with their related records, in either dialect.
import { employees, projectOf, projects } from './directory.ts'
import { capPath, companyPath, getRequest, type RequestBuilders, type RequestParameters } from './requests.ts'

/** Options of a set; both servers return the same fields in the same envelope. */
interface SetQuery {
  readonly options: readonly string[]
  readonly contains: string
  readonly braces: number
}

/** 100 employees from a key on, with their department. */
export const employeePages = setReads('/ansatt/Ansatt', ['Avdeling'], ({ random }, relations) => {
  const from = 1 + random(employees - 99)
  const options = [
    '$select=Id,Fornavn,Etternavn',
    expandOf(relations),
    `$filter=Id ge ${from}`,
    '$orderby=Id',
    '$top=100',
  ]
  return { options, contains: `"Fornavn":"Fornavn${from}"`, braces: 201 }
})

/** 100 projects from a key on, with their department and site. */
export const projectPages = setReads('/prosjekt/Prosjekt', ['Avdeling', 'Anlegg'], ({ random }, relations) => {
  const from = 1 + random(projects - 99)
  const options = [
    '$select=Id,Navn',
    expandOf(relations),
    `$filter=Id ge '${projectOf(from)}'`,
    '$orderby=Id',
    '$top=100',
  ]
  return { options, contains: `"Navn":"Prosjekt ${from}"`, braces: 301 }
})

/** The peer has the same sets, and its relations begin with a small letter. */
function setReads(
  path: string,
  relations: readonly string[],
  query: (parameters: RequestParameters, relations: readonly string[]) => SetQuery,
): RequestBuilders {
  const set = path.slice(path.lastIndexOf('/') + 1)
  const capRelations = relations.map((relation) => relation.toLowerCase())
  return {
    dagsverk: (parameters) => {
      const { options, ...expected } = query(parameters, relations)
      return checked(companyPath(parameters.company, path, options), expected)
    },
    cap: (parameters) => {
      const { options, ...expected } = query(parameters, capRelations)
      return checked(capPath(set, options), expected)
    },
  }
}

function checked(path: string, { contains, braces }: Omit<SetQuery, 'options'>) {
  return { request: getRequest(path), contains: Buffer.from(contains), braces }
}

function expandOf(relations: readonly string[]): string {
  return `$expand=${relations.map((relation) => `${relation}($select=Id,Navn)`).join(',')}`
}
