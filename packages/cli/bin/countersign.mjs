#!/usr/bin/env node
import { existsSync } from "node:fs"
import { join } from "node:path"
import { runProgram } from "./node24.mjs"

const source = join(import.meta.dirname, "../src/main.ts")
const program = existsSync(source) ? source : join(import.meta.dirname, "../dist/main.js")

await runProgram(program, process.argv.slice(2))
