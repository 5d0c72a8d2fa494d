/* Built by make page from sources 9ac6272a3dee7c08; licences of what is inside: LICENSES.txt */
function a(t,o){return r=>{let e=t.appendChild(document.createElement("i"));e.className="probe",e.style.colorScheme=o?"dark":"light",e.style.color=`var(${r})`;let n=getComputedStyle(e).color;return e.remove(),n}}export{a};
