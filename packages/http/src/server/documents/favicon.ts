/** A signature under a line: what the service asks for. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4d3a"/>' +
  '<path d="M7 19c3-9 6-11 6-7s-4 10-1 9 4-7 6-7-1 6 1 6 3-2 6-3" fill="none" stroke="#fff" stroke-width="2.2" ' +
  'stroke-linecap="round" stroke-linejoin="round"/><path d="M6 26h20" stroke="#8fd0b1" stroke-width="2"/></svg>'
