/** @param {number[]} numbers at least one */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
