// The sets that files can be imported of.

export const importedSets = ['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg', 'Omsetning'] as const

export type ImportedSet = (typeof importedSets)[number]
