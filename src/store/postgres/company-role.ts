// Role and setting of row-level security, which migrations load without the driver (ADR 0065).

/** Owns no table, so policies apply to it. Exists in every database, and its owner may assume it, as a superuser may. */
export const companyRole = 'pg_database_owner'
/** The company whose rows the policies show. */
export const companySetting = 'dagsverk.company'
