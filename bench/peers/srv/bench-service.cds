// An OData v4 service as its framework wants it: generic handlers, and actions for whole lists.
using { bench } from '../db/schema';

@path: '/odata/v4/bench'
@cds.query.limit: { default: 1000, max: 1000000 }
service BenchService {
  entity Omsetning as projection on bench.Omsetning;
  entity Avdeling  as projection on bench.Avdeling;
  entity Ansatt    as projection on bench.Ansatt;
  entity Anlegg    as projection on bench.Anlegg;
  entity Prosjekt  as projection on bench.Prosjekt;
  entity Transaksjon as projection on bench.Transaksjon;

  type Rad {
    Firma      : Integer;
    Dato       : Date;
    AvdelingID : String(50);
    ipType     : String(10);
    Omsetning  : Decimal(15, 4);
  }

  action LagreListe(rader : array of Rad) returns Integer;

  type Linje {
    Firma      : Integer;
    Dato       : Date;
    VareId     : String(50);
    Varenavn   : String(200);
    Antall     : Decimal(15, 4);
    Salgspris  : Decimal(15, 4);
    AvdelingId : String(50);
  }

  action Registrer(rader : array of Linje) returns array of Integer;
  action Godkjenn(ids : array of Integer) returns Integer;
  action Eksporter(ids : array of Integer) returns Integer;
}
