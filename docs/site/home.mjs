// The home page: the sentence, the three doors, the journey, and the numbers.

import { grouped } from './facts.mjs'
import { escapeHtml } from './highlight.mjs'
import { journey } from './journey.mjs'

/**
 * @param {object} facts
 * @param {ReturnType<typeof import('./facts.mjs').sizesOf>} facts.sizes
 * @param {ReturnType<typeof import('./facts.mjs').hostsOf>} facts.hosts
 * @param {ReturnType<typeof import('./facts.mjs').killedOf>} facts.killed
 * @param {string} facts.code the first program of the README, in colours
 */
export function home({ sizes, hosts: { steps, hosts }, killed, code }) {
  const whole = hosts.filter(({ done }) => done.every(Boolean)).length
  const smallest = sizes.find(({ file }) => file === 'player-data.web.js') ?? sizes[0]
  return `<section class="hero">
<div class="pitch">
<h1><span>Know every player.</span> <span>Lose&nbsp;no&nbsp;event silently.</span></h1>
<p class="lead">Player Data Runtime is one file that logs your players in, knows who pays, shows each their own store, and loses no event silently, in every engine.</p>
<p class="actions"><a class="button" href="demo/index.html">Play the demo</a> <a class="button quiet" href="quickstart.html">Quick start</a></p>
</div>
${code}
</section>

<ul class="facts" aria-label="In numbers">
<li><strong>${grouped(smallest.bytes)}</strong> bytes gzip, the whole of it, for a web page</li>
<li><strong>${whole} of ${hosts.length}</strong> hosts finish the whole journey</li>
<li><strong>${grouped(killed.arrived)} of ${grouped(killed.tracked)}</strong> events survive a browser killed 50 ms later</li>
<li><strong>0</strong> dependencies to install</li>
</ul>

<section aria-labelledby="doors">
<h2 id="doors">Three ways in</h2>
<ul class="cards">
<li><a href="demo/index.html"><h3>Play</h3><p>A small game on the shipped file. Pull the plug, close the tab, come back: watch that nothing is missing.</p><span class="go">Open the demo</span></a></li>
<li><a href="quickstart.html"><h3>Embed</h3><p>From an empty folder to your own first event in five minutes, against a service on your own machine.</p><span class="go">Quick start</span></a></li>
<li><a href="contract.html"><h3>Generate your own client</h3><p>Another language? The contract is OpenAPI, in an exact edition and in one that code generators digest.</p><span class="go">The contract</span></a></li>
</ul>
</section>

<section aria-labelledby="journey">
<h2 id="journey">The journey</h2>
<p class="lead">What one file does between the first frame and the last event.</p>
<div class="drawing">${journey}</div>
<p class="after"><a href="signing.html">How signing works</a> <a href="session.html">What login does</a> <a href="events.html">What is guaranteed</a></p>
</section>

<section aria-labelledby="hosts">
<h2 id="hosts">Runs where your players are</h2>
<p class="lead">The shipped file takes the whole journey in every host: ${steps.map(escapeHtml).join(', ')}. What counts is what the service received.</p>
<div class="table hosts"><table>
<thead><tr><th scope="col">host</th><th scope="col">steps of the journey</th><th scope="col">what it is</th></tr></thead>
<tbody>
${hosts.map((host) => hostRow(host, steps)).join('\n')}
</tbody></table></div>
<p class="after"><a href="hosts.html">The whole table, step by step</a></p>
</section>

<section aria-labelledby="size">
<h2 id="size">What it weighs</h2>
<div class="table"><table>
<thead><tr><th scope="col">file</th><th scope="col" class="right">bytes, gzip</th></tr></thead>
<tbody>
${sizes.map(({ file, bytes, use }) => `<tr><td><code>${file}</code> <span class="use">${use}</span></td><td class="right">${grouped(bytes)}</td></tr>`).join('\n')}
</tbody></table></div>
<p class="after"><a href="size.html">What the bytes are</a> <a href="benchmarks.html">Beside its peers</a></p>
</section>`
}

function hostRow({ name, done, what }, steps) {
  const passed = done.filter(Boolean).length
  const dots = done
    .map((yes, at) => `<i class="${yes ? 'yes' : 'no'}" title="${escapeHtml(steps[at])}: ${yes ? 'yes' : 'no'}"></i>`)
    .join('')
  return `<tr><th scope="row">${escapeHtml(name)}</th><td><span class="dots" aria-hidden="true">${dots}</span><span class="sum">${passed} of ${done.length}</span></td><td>${escapeHtml(what).replace(/`([^`]*)`/g, '<code>$1</code>')}</td></tr>`
}
