#!/usr/bin/env node
import { join } from "node:path"
import { runOnNode24 } from "./node24.mjs"

runOnNode24([join(import.meta.dirname, "../src/main.ts"), ...process.argv.slice(2)])
