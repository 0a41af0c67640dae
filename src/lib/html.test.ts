import { expect, test } from 'vitest'
import { html as made } from './html.ts'

test('inserted values are escaped, in elements and in attributes', () => {
  const hostile = `"><script>alert('&')</script>`
  expect(made`<p title="${hostile}">${hostile}</p>`.text).toBe(
    '<p title="&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;">' +
      '&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;</p>',
  )
})

test('HTML of this module is inserted unescaped, alone and in lists', () => {
  const items = ['1', '2'].map((number) => made`<li>${number}</li>`)
  expect(made`<ul>${items}</ul>${made`<br>`}`.text).toBe('<ul><li>1</li><li>2</li></ul><br>')
})
