// The same records that Dagsverk serves: one revenue record to a cell of company, date, department and type; material lines.
namespace bench;

entity Omsetning {
  key Firma          : Integer;
  key Dato           : Date;
  key AvdelingID     : String(50);
  key ipType         : String(10);
      InntektsPlanId : Integer @Core.Computed;
      Omsetning      : Decimal(15, 4);
      Merknad        : String(4000);
}

entity Avdeling {
  key Id   : String(50);
      Navn : String(200);
}

entity Anlegg {
  key Id   : String(50);
      Navn : String(200);
}

entity Ansatt {
  key Id        : Integer;
      Fornavn   : String(200);
      Etternavn : String(200);
      avdeling  : Association to Avdeling;
}

entity Prosjekt {
  key Id       : String(50);
      Navn     : String(200);
      avdeling : Association to Avdeling;
      anlegg   : Association to Anlegg;
}

entity Transaksjon {
  key Id         : Integer;
      Firma      : Integer;
      Dato       : Date;
      VareId     : String(50);
      Varenavn   : String(200);
      Antall     : Decimal(15, 4);
      Salgspris  : Decimal(15, 4);
      AvdelingId : String(50);
      Status     : String(20);
}
