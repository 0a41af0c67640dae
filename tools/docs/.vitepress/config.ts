// Site of the documentation, built by `npm run docs` with VitePress.
import { posix } from 'node:path'

interface Token {
  tag: string
  type: string
  attrs: [name: string, value: string][] | null
  readonly children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface MarkdownIt {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: { tokens: Token[]; env: Environment }) => void): void }
  }
}

interface Environment {
  /** The path of the page, from the root of the repository. */
  readonly relativePath: string
}

/** Where the files of the repository can be read, without a trailing slash; their links become text if it is not set. */
const source = process.env['DOCS_SOURCE_URL']

/** Links to files that are no pages lead to the repository. */
function linkSources({ core }: MarkdownIt): void {
  core.ruler.push('sources', ({ tokens, env: { relativePath } }) => {
    for (const { children } of tokens) {
      let isText = false
      for (const token of children ?? []) {
        const path = token.type === 'link_open' ? (token.attrGet('href') ?? '') : ''
        if (token.type === 'link_open') isText = isSource(path) && source === undefined
        else if (token.type !== 'link_close') continue
        if (isText) Object.assign(token, { tag: 'span', attrs: null })
        else if (isSource(path)) token.attrSet('href', `${source}/${posix.join(posix.dirname(relativePath), path)}`)
      }
    }
  })
}

function isSource(href: string): boolean {
  return href !== '' && !/^([a-z]+:|#|\/)|\.md(#|$)/.test(href)
}

/** As GitHub and `tests/docs.test.ts` make the anchors of headings. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function page(text: string, link: string) {
  return { text, link: `/${link}` }
}

function pages(...items: (readonly [text: string, name: string])[]) {
  return items.map(([text, name]) => page(text, `docs/${name}`))
}

export default {
  title: 'Dagsverk',
  description: 'Self-hosted server for revenue, staff and material',
  lang: 'en',
  srcDir: '../..',
  outDir: '../../.site',
  srcExclude: ['{data,dist,coverage,node_modules,src,tests,tools,web}/**', '.github/**', 'bench/!(README.md)/**'],
  rewrites: { 'README.md': 'index.md' },
  markdown: { html: false, attrs: { disable: true }, anchor: { slugify }, config: linkSources },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'Tutorials',
        items: [
          page('Quick start', ''),
          ...pages(
            ['A till in fifteen minutes', 'tutorial-till'],
            ['Accounting in fifteen minutes', 'tutorial-accounting'],
          ),
        ],
      },
      {
        text: 'How to',
        items: pages(
          ['Push and read revenue', 'clients'],
          ['Import material into a system', 'integration'],
          ['Receive webhooks', 'webhooks'],
          ['Import files', 'import'],
          ['Connect Excel and Power BI', 'excel-power-bi'],
          ['Use the app', 'app'],
          ['Serve your own tables', 'custom-models'],
          ['Operate a server', 'operating'],
          ['Configure sign-in', 'sign-in'],
          ['Scale', 'scaling'],
        ),
      },
      {
        text: 'Reference',
        items: pages(
          ['API', 'api'],
          ['Errors', 'errors'],
          ['Commands and settings', 'cli'],
          ['OData', 'odata'],
          ['OData URLs', 'odata-urls'],
          ['OData conformance', 'conformance'],
          ['Rules of the interface', 'interface'],
          ['Glossary', 'glossary'],
          ['Performance', 'performance'],
          ['Accessibility', 'accessibility'],
        ),
      },
      {
        text: 'Explanation',
        items: pages(['Concepts', 'concepts'], ['Material', 'material'], ['Security', 'security']),
      },
      {
        text: 'Contributing',
        collapsed: true,
        items: [
          page('Contributing', 'CONTRIBUTING'),
          page('Architecture', 'ARCHITECTURE'),
          page('Style', 'STYLE'),
          ...pages(
            ['Adding a field', 'adding-a-field'],
            ['Adding a resource', 'adding-a-resource'],
            ['Adding a report', 'adding-a-report'],
            ['Adding a webhook event', 'adding-a-webhook-event'],
            ['Decisions', 'adr/README'],
          ),
          page('Changelog', 'CHANGELOG'),
        ],
      },
    ],
  },
}
