// What every page of the site does beyond showing its text.

import { addCopyButtons, watchScrollers } from './code.js'
import { followHeadings } from './contents.js'
import { startFinder } from './finder.js'
import { startMenu } from './menu.js'
import { startSwitch } from './switch.js'

const { root } = document.currentScript.dataset

startSwitch(document.querySelector('[data-theme-switch]'))
startMenu(document.querySelector('[data-menu-button]'), document.querySelector('#pages'))
startFinder(document.querySelector('#finder'), document.querySelectorAll('[data-search]'), root)
followHeadings(document.querySelectorAll('aside.contents a'))
addCopyButtons()
watchScrollers()
