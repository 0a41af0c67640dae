// Names in the generated directory: people, titles, streets, works and towns.

export const firstNames = [
  ...'Kari Ola Ingrid Lars Åse Øyvind Solveig Jonas Nora Emil'.split(' '),
  ...'Fatima Henrik Ida Mohammed Sara Tor-Arne Ragnhild André Lea Oskar'.split(' '),
]

export const lastNames = [
  ...'Hansen Johansen Olsen Larsen Ødegård Nilsen Bakke Ås Berg Haugen'.split(' '),
  ..."O'Brien Sæther Moen Strand Lund Solberg Ali Dahl Eide Vik".split(' '),
]

export const titles = ['Selger', 'Lagermedarbeider', 'Kokk', 'Gartner', 'Montør', 'Daglig leder']

export const percents = [100, 100, 100, 80, 60, 50, 37.5, 20]

export const streets = ['Storgata', 'Kirkeveien', 'Fjordgata', 'Skolebakken', 'Åsveien', 'Elvegata']

export const works = ['Rehabilitering', 'Nybygg', 'Uteområde', 'Kjøkken', 'Lagerhylle', 'Varmepumpe']

export const towns: readonly (readonly [string, string])[] = [
  ['0150', 'Oslo'],
  ['5003', 'Bergen'],
  ['7011', 'Trondheim'],
  ['4006', 'Stavanger'],
  ['9008', 'Tromsø'],
  ['8006', 'Bodø'],
]
