// Departments of the generated companies, with their weekly and yearly revenue profile.

export interface SandboxDepartment {
  readonly id: string
  readonly name: string
  readonly parentId?: string
  /** Revenue of an ordinary day, in kroner. */
  readonly dayKroner: number
  /** Percent of that from Monday to Sunday; 0 is closed. */
  readonly weekdays: readonly number[]
  /** Percent of that from January to December; 0 is closed. */
  readonly months: readonly number[]
  readonly isOpenOnHolidays?: true
  /** One in so many days has a second record, for an event. */
  readonly eventOnceInDays?: number
  /** Reports by accumulation, in several batches with references. */
  readonly usesAccumulation?: true
}

const shopWeek = [88, 92, 97, 108, 131, 143, 0]
const gardenYear = [0, 0, 45, 130, 240, 190, 110, 90, 80, 60, 30, 120]
const giftYear = [70, 74, 85, 90, 97, 102, 92, 95, 94, 98, 128, 175]
const evenYear = [90, 92, 98, 97, 103, 104, 99, 101, 99, 99, 101, 117]

export const departments: Readonly<Record<string, readonly SandboxDepartment[]>> = {
  TEST: [
    // Text and not a number, to detect clients that drop leading zeros.
    {
      id: '007',
      name: 'Kiosken',
      parentId: '40',
      dayKroner: 9_400,
      weekdays: [96, 97, 98, 100, 121, 112, 76],
      months: evenYear,
      isOpenOnHolidays: true,
    },
    { id: '10', name: 'Byggevarer', dayKroner: 86_500, weekdays: shopWeek, months: evenYear },
    { id: '20', name: 'Jernvare', dayKroner: 52_800, weekdays: shopWeek, months: giftYear },
    { id: '30', name: 'Hagesenter', parentId: '10', dayKroner: 27_300, weekdays: shopWeek, months: gardenYear },
    {
      id: '40',
      name: 'Kafé',
      dayKroner: 14_100,
      weekdays: [82, 86, 95, 104, 138, 147, 90],
      months: evenYear,
      eventOnceInDays: 9,
    },
    {
      id: 'NETT',
      name: 'Nettbutikk',
      dayKroner: 31_700,
      weekdays: [118, 104, 98, 96, 88, 79, 117],
      months: giftYear,
      isOpenOnHolidays: true,
      usesAccumulation: true,
    },
  ],
  // The same department id as in the other company.
  TEST2: [
    { id: '20', name: 'Sport', dayKroner: 44_200, weekdays: shopWeek, months: giftYear },
    { id: '50', name: 'Verksted', dayKroner: 18_600, weekdays: shopWeek, months: evenYear },
  ],
  EMPTY: [],
}

/** Public holidays with a fixed date, on which shops are closed. */
export const holidays: ReadonlySet<string> = new Set(['01-01', '05-01', '05-17', '12-25', '12-26'])
