// What the site holds, in the order of its navigation. A page that is in docs/ and not here stops the build: nobody would find it.

/**
 * `source` is a Markdown file of the repository; `href` alone is a page that something else makes.
 * @typedef {{ label: string, href: string, source?: string }} Page
 */

/** @param {string} name @param {string} label @returns {Page} */
const guide = (name, label) => ({ label, href: `${name}.html`, source: `docs/${name}.md` })

/** @type {{ title: string, pages: Page[] }[]} */
export const groups = [
  {
    title: 'Start',
    pages: [
      guide('quickstart', 'Quick start'),
      { label: 'Play the demo', href: 'demo/index.html' },
      { label: 'A player, live', href: 'try.html' },
    ],
  },
  {
    title: 'Login and signing',
    pages: [
      guide('session', 'Session'),
      guide('signing', 'Signing'),
      guide('signing-node', 'Signing with node:http'),
      guide('signing-express', 'Signing with Express'),
      guide('signing-hono', 'Signing with Hono'),
      guide('signing-workers', 'Signing with Workers'),
      guide('security', 'Security'),
    ],
  },
  { title: 'Events', pages: [guide('events', 'Events and the guarantee'), guide('offline', 'Offline and tabs')] },
  {
    title: 'Engines',
    pages: [
      guide('unity', 'Unity'),
      guide('cocos', 'Cocos Creator'),
      guide('minigames', 'Minigames'),
      guide('phaser', 'Phaser'),
      guide('playcanvas', 'PlayCanvas'),
      guide('pixi', 'Pixi'),
      guide('babylon', 'Babylon'),
      guide('godot', 'Godot'),
      guide('defold', 'Defold'),
      guide('puerts', 'PuerTS'),
      guide('node', 'Node'),
    ],
  },
  {
    title: 'Testing and the sandbox',
    pages: [guide('testing', 'Testing your game'), guide('sandbox', 'The sandbox'), guide('inspector', 'The inspector')],
  },
  {
    title: 'The contract',
    pages: [
      guide('contract', 'The contract'),
      guide('check', 'Checking a service'),
      { label: 'API reference', href: 'api/index.html' },
      guide('unspecified', 'What is not specified'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      guide('reference', 'The runtime'),
      guide('errors', 'Errors'),
      guide('hosts', 'Hosts'),
      guide('size', 'Size'),
      guide('benchmarks', 'Benchmarks'),
    ],
  },
  {
    title: 'Project',
    pages: [
      { label: 'Read me', href: 'readme.html', source: 'README.md' },
      guide('upgrading', 'Upgrading'),
      { label: 'Changelog', href: 'changelog.html', source: 'CHANGELOG.md' },
      { label: 'Contributing', href: 'contributing.html', source: 'CONTRIBUTING.md' },
      { label: 'Reporting a weakness', href: 'reporting.html', source: 'SECURITY.md' },
    ],
  },
]
