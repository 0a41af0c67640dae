// Custom model: authors and their books. docs/custom-models.md contains this file verbatim.
import { defineComplexType, defineResource, complexFields, type Enumeration } from '../../src/engine/model/resource.ts'
import type { Schema } from '../../src/engine/model/schema.ts'

const cover: Enumeration = { wire: 'Cover', members: { Soft: 0, Hard: 1 } }

const place = defineComplexType({
  wire: 'Place',
  fields: {
    street: { wire: 'Street', type: 'text', optional: true },
    city: { wire: 'City', type: 'text', optional: true },
  },
})

const author = defineResource({
  table: 'libraryAuthor',
  wire: 'Author',
  description: 'Who wrote the books',
  key: ['id'],
  readScope: 'directory:read',
  fields: {
    id: { wire: 'Id', type: 'integer' },
    name: { wire: 'Name', type: 'text', lengthMax: 200 },
    bornOn: { wire: 'BornOn', type: 'date', optional: true },
    ...complexFields('home', 'Home', place),
  },
})

const book = defineResource({
  table: 'libraryBook',
  wire: 'Book',
  key: ['isbn'],
  readScope: 'directory:read',
  fields: {
    isbn: { wire: 'Isbn', type: 'text', lengthMax: 13 },
    title: { wire: 'Title', type: 'text', lengthMax: 500 },
    price: { wire: 'Price', type: 'decimal', optional: true },
    isLent: { wire: 'IsLent', type: 'boolean' },
    cover: { wire: 'Cover', type: cover, optional: true },
    readingTime: { wire: 'ReadingTime', type: 'duration', optional: true },
    authorId: { wire: 'AuthorId', type: 'integer', optional: true },
  },
})

export const library: Schema = {
  namespace: 'Library',
  resources: [author, book],
  relations: [
    { of: author, wire: 'Books', to: book, isMany: true, on: { id: 'authorId' } },
    { of: book, wire: 'Author', to: author, on: { authorId: 'id' } },
  ],
}
