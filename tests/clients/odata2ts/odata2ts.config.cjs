// Configuration of the generator: the service URL, and the read-only fields.
module.exports = {
  services: {
    dagsverk: {
      serviceName: 'Dagsverk',
      sourceUrl: process.env.SERVICE_URL,
      sourceUrlConfig: { custom: { headers: { 'tb-key': process.env.SERVICE_KEY } } },
      source: 'metadata.xml',
      output: 'service',
      emitMode: 'ts',
      // The caller chooses the key of a department.
      disableAutoManagedKey: true,
      propertiesByName: ['OpprettetDato', 'SistEndretDato'].map((name) => ({ name, managed: true })),
      // Asks for `IEEE754Compatible=true`, in both directions.
      v4BigNumberAsString: true,
    },
  },
}
