// A page that uses the OData V4 model of UI5 without controls: lists, creates, changes, binds, and sends batches.
/* global sap, window */

const modules = ['model/odata/v4/ODataModel', 'model/Filter', 'model/FilterOperator', 'model/Sorter']

/** Runs in the page; `address` is the server, `key` an API key. */
window.run = async (address, key) => {
  const [ODataModel, Filter, FilterOperator, Sorter] = await new Promise((resolve, reject) => {
    const names = modules.map((name) => `sap/ui/${name}`)
    sap.ui.require(names, (...loaded) => resolve(loaded), reject)
  })
  const openModel = () =>
    new ODataModel({
      serviceUrl: `${address}/odata/`,
      operationMode: 'Server',
      groupId: '$direct',
      httpHeaders: { 'tb-key': key },
    })
  const model = openModel()
  const inDepartment = (id) => new Filter('AvdelingId', FilterOperator.EQ, id)

  const employees = model.bindList('/Ansatt', undefined, [new Sorter('Fornavn', true)], [inDepartment('10')], {
    $select: 'Id,Fornavn,Stillingsprosent',
    $expand: { Avdeling: { $select: 'Navn' } },
    $count: true,
  })
  const contexts = await employees.requestContexts(0, 10)
  const list = contexts.map((context) => {
    const { Id, Fornavn, Stillingsprosent, Avdeling } = context.getObject()
    return { Id, Fornavn, Stillingsprosent, department: Avdeling.Navn }
  })

  // Both writes are sent in one change set.
  const departments = model.bindList('/Avdeling', undefined, [], [], { $$updateGroupId: 'writes' })
  const department = departments.create({ Id: '40', Navn: 'Kafé' }, true)
  const newEmployees = model.bindList('/Ansatt', undefined, [], [], { $$updateGroupId: 'writes' })
  const bound = newEmployees.create(
    { Fornavn: 'Nils', Stillingsprosent: '37.5', 'Avdeling@odata.bind': "Avdeling('20')" },
    true,
  )
  await model.submitBatch('writes')
  await Promise.all([department.created(), bound.created()])
  const created = {
    Navn: department.getProperty('Navn'),
    Id: bound.getProperty('Id'),
    AvdelingId: bound.getProperty('AvdelingId'),
    Stillingsprosent: bound.getProperty('Stillingsprosent'),
  }

  // Another page has read the same record; the second change is refused.
  const readFirst = async (of) => {
    const binding = of.bindList('/Ansatt', undefined, [], [inDepartment('20')], {
      $orderby: 'Id',
      $select: 'Id,Tittel',
    })
    return (await binding.requestContexts(0, 1))[0]
  }
  const [mine, theirs] = [await readFirst(model), await readFirst(openModel())]
  await mine.setProperty('Tittel', 'Selger')
  const conflict = await theirs.setProperty('Tittel', 'Kokk').then(
    () => null,
    (error) => error.status ?? error.cause?.status,
  )
  await mine.setProperty('Tittel', 'Leder')

  // Reads of two sets and a change, in one batch.
  const sets = ['/Prosjekt', '/Avdeling'].map((path) =>
    model.bindList(path, undefined, [new Sorter('Id')], [], { $$groupId: 'all', $select: 'Id' }),
  )
  const reads = sets.map((set) => set.requestContexts(0, 10))
  const changed = mine.setProperty('Tittel', 'Eier', 'all')
  await model.submitBatch('all')
  await changed
  const batch = (await Promise.all(reads)).map((all) => all.map((one) => one.getProperty('Id')))

  await bound.delete('$direct')
  return { list, count: employees.getLength(), created, conflict, title: mine.getProperty('Tittel'), batch }
}
