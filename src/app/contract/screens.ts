// Screens of the browser app, and the sets in their paths; the Norwegian names are public.

/** The screens; all are the same page, which selects its screen by the path. */
export const screens = [
  'logg-inn',
  'invitasjon',
  'glemt',
  'ny-adgang',
  'i-dag',
  'uttak',
  'godkjenning',
  'omsetning',
  'rydde',
  'eksport',
  'register',
  'import',
  'utforsk',
  'administrasjon',
  'revisjon',
  'hjelp',
  'konto',
] as const

/** The sets of the directory, and those that a file can be imported to: `:set` in a path. */
export const directorySets = ['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg'] as const

export const importedSets = [...directorySets, 'Omsetning'] as const

export const exploredSets = ['Omsetning', 'OmsetningLogg', ...directorySets, 'Transaksjon'] as const
