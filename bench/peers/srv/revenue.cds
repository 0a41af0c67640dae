// An OData v4 service as its framework wants it: generic handlers, and one action for whole lists.
using { bench } from '../db/schema';

@path: '/odata/v4/bench'
@cds.query.limit: { default: 1000, max: 1000000 }
service BenchService {
  entity Omsetning as projection on bench.Omsetning;
  entity Avdeling  as projection on bench.Avdeling;
  entity Ansatt    as projection on bench.Ansatt;
  entity Anlegg    as projection on bench.Anlegg;
  entity Prosjekt  as projection on bench.Prosjekt;

  type Rad {
    Firma      : Integer;
    Dato       : Date;
    AvdelingID : String(50);
    ipType     : String(10);
    Omsetning  : Decimal(15, 4);
  }

  action LagreListe(rader : array of Rad) returns Integer;
}
