import { afterAll } from "vitest"

// Runs before each test file. TestReport prints the CPU time that the file took.
const before = process.cpuUsage()

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern.
afterAll(({}, file) => {
  const { system, user } = process.cpuUsage(before)
  Object.assign(file.meta, { cpuSeconds: (system + user) / 1e6 })
})
