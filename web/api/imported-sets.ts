// Sets that can be imported from a file.

export const importedSets = ['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg', 'Omsetning'] as const

export type ImportedSet = (typeof importedSets)[number]
