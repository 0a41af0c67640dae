// The addresses of the browser app, where its Norwegian crosses.

/** The screens; each is the same page, which finds its screen by the address. */
export const screens = [
  'logg-inn',
  'i-dag',
  'uttak',
  'godkjenning',
  'omsetning',
  'eksport',
  'register',
  'utforsk',
  'administrasjon',
  'revisjon',
  'hjelp',
] as const

export const words = {
  session: '/app/okt',
  sessionCompany: '/app/okt/bytt',
  read: '/app/les/:set',
  revenueOverview: '/app/data/omsetning/oversikt',
  revenueSums: '/app/data/omsetning/summer',
  revenueCell: '/app/data/omsetning/celle',
  revenueCells: '/app/data/omsetning/celler',
  materialOverview: '/app/data/uttak/oversikt',
  materialCount: '/app/data/uttak/antall',
  materialLines: '/app/data/uttak/linjer',
  materialIds: '/app/data/uttak/ider',
  materialDecide: '/app/data/uttak/beslutt',
  materialLine: '/app/data/uttak/linje/:id',
  ownMaterial: '/app/data/uttak/mine',
  ownMaterialLine: '/app/data/uttak/mine/:id',
  exportOverview: '/app/data/eksport',
  exportLines: '/app/data/eksport/linjer',
  exportPreview: '/app/data/eksport/prov',
  exportUndo: '/app/data/eksport/angre',
  exportClose: '/app/data/eksport/lukk',
  exportRelease: '/app/data/eksport/frigi',
  audit: '/app/data/revisjon',
  assets: '/app/assets/:file',
} as const
