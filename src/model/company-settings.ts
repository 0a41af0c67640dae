// What a company may decide for itself; what is not said has its default.

export interface CompanySettings {
  /** A second insert on a cell that has a record is refused with 409 and the key of the existing one. */
  readonly isOneRecordPerCell: boolean
  /** `Dato` with any zone or offset is refused. */
  readonly isZoneRefused: boolean
}

export const defaultSettings: CompanySettings = {
  isOneRecordPerCell: false,
  isZoneRefused: false,
}
