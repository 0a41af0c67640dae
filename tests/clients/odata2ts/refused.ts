// Names that $metadata does not have: the compiler rejects the lines marked `refused`, and no others.
import type { FetchClient } from '@odata2ts/http-client-fetch'
import type { DagsverkService } from './service/DagsverkService'

export function mistakes(service: DagsverkService<FetchClient>) {
  return [
    service.Avdelinger(), // refused
    service.Avdeling(10), // refused
    service.Avdeling('10').Anlegg(), // refused
    service.Avdeling('10').patch({ Nvan: 'Kafé' }), // refused
    service.Avdeling('10').patch({ SistEndretDato: '2024-05-01T00:00:00Z' }), // refused
    service.Avdeling().create({ Navn: 'Kafé' }), // refused
    service.Avdeling().query((query) => query.select('Nvan')), // refused
    service.Avdeling().query((query) => query.expand('Navn')), // refused
    service.Avdeling().query((query, { Aktiv }) => query.filter(Aktiv.eq('ja'))), // refused
    service.Avdeling().query((query, { Aktiv }) => query.filter(Aktiv.eq(true))),
  ]
}
