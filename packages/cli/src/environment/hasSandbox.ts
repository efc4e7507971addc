/** Whether the sandbox comes with this program. The build of the package says no in its place. */
export const hasSandbox: boolean = true
